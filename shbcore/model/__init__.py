r"""Sets, problems, parameters and the formulas of the constants."""
