r"""Appendix C: the places of the proof of Lemma 5."""

from shbcore.claims.appendix_c_phi import W, WEIGHTS, f, phi, phi_nonnegative, stepsizes_up_to
from shbcore.claims.appendix_c_sharp import W_NOISE, lemma_W_beyond, lemma_W_sharp
from shbcore.claims.appendix_c_z import lemma_W
from shbcore.claims.registry import Section

__all__ = ["W", "WEIGHTS", "W_NOISE", "f", "lemma_W", "lemma_W_beyond", "lemma_W_sharp", "phi", "phi_nonnegative", "stepsizes_up_to"]
here = Section("C Proof of Lemma 5")
