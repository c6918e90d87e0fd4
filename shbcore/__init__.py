r"""Stochastic heavy ball on weakly convex problems: solver, certified monitors, exact proofs and the ledger of the paper's claims."""
