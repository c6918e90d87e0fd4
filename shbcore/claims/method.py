r"""Section 3 up to Lemma 3: the oracle, the method, its start, and the shape of the argument."""

from shbcore.claims.registry import Section

here = Section("3 Algorithm and convergence analysis")

START = here.claim("alg:iters:def/start", "The start of the method", kind="definition", chapter="algorithm", as_printed="wrong")
