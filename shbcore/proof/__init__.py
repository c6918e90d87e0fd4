r"""An exact algebra of vectors and expectations, and certificates written in it."""
