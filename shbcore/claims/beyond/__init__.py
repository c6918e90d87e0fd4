r"""Results that the paper does not have: the open question, and a shorter smooth half."""
