r"""Every certificate of the smooth half of the paper, by label."""

from shbcore.claims import W_proofs, phi_proofs, theorem2_proofs, theorem3_proofs

PROOFS = {**phi_proofs.PROOFS, **W_proofs.PROOFS, **theorem2_proofs.PROOFS, **theorem3_proofs.PROOFS}
