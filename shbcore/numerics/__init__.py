r"""The solver, certified envelopes, monitors, exact expectations and sweeps."""
