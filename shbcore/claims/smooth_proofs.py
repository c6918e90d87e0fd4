r"""Every certificate of the smooth half of the paper, by label."""

from shbcore.claims import W_proofs, W_sharp_proofs, phi_proofs, theorem2_proofs, theorem3_proofs, theorem3_sharp_proofs
from shbcore.proof.certificate import Proof

PROOFS: dict[str, list[Proof]] = {}
for _part in (phi_proofs, W_proofs, W_sharp_proofs, theorem2_proofs, theorem3_proofs, theorem3_sharp_proofs):
    for _label, _proofs in _part.PROOFS.items():
        PROOFS[_label] = [*PROOFS.get(_label, []), *_proofs]
