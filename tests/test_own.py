"""A problem from plain functions, the cost of a step on it, and what torch.optim.SGD is in the paper's letters."""

import time
from itertools import islice

import numpy as np
import pytest

from shbcore.model.own import Stream, estimated, from_functions
from shbcore.model.parameters import ConstantStep, Parameters
from shbcore.model.phase import RobustPhaseRetrieval
from shbcore.model.problems import Known
from shbcore.model.sets import Ball, WholeSpace
from shbcore.numerics import slack
from shbcore.numerics.envelope import moreau
from shbcore.numerics.pytorch import from_torch, to_torch
from shbcore.numerics.solver import Past, shb

rng = np.random.default_rng(5)
A, b = rng.standard_normal((6, 3)), rng.random(6) + 0.1
PHASE, BALL = RobustPhaseRetrieval(A, b), Ball(1.0, np.zeros(3))


def value(x, i):
    return abs((A[i] @ x) ** 2 - b[i])


def subgradient(x, i):
    t = A[i] @ x
    return 2 * t * np.sign(t * t - b[i]) * A[i]


OWN = from_functions(value, subgradient, n=3, m=6, rho=PHASE.rho, L2=PHASE.L2(BALL))


def test_an_own_problem_is_the_problem_it_copies() -> None:
    for x in rng.standard_normal((5, 3)):
        assert OWN.value(x) == pytest.approx(PHASE.value(x), rel=1e-12)
        assert np.allclose(OWN.subgradients(x), PHASE.subgradients(x))
        assert np.allclose(OWN.subgradient(x, 4), PHASE.subgradients(x)[4])
    x, y = np.full(3, 0.2), np.full(3, 0.1)
    found, wanted = moreau(OWN, BALL, y, envelope=0.02), moreau(PHASE, BALL, y, envelope=0.02)
    assert found.value == pytest.approx(wanted.value, abs=found.gap + wanted.gap + 1e-12)
    settings = [slack.nonsmooth(f, BALL, Parameters(0.01, 0.5)) for f in (OWN, PHASE)]
    assert np.allclose(*(slack.lemma_3(s, Past(1, y, x)).slack for s in settings))


def test_constants_say_how_they_are_known() -> None:
    bare = from_functions(value, subgradient, n=3, m=6, rho=Known(PHASE.rho, "certified bound"))
    seen = estimated(bare, BALL, np.random.default_rng(0))
    hows = {name: known.how for name, known in seen.constants(BALL).items()}
    assert hows["rho"] == "certified bound"
    assert {hows[name] for name in ("L2", "sigma2", "G2")} == {"estimated"}
    assert OWN.known_L2(BALL).how == "declared"
    assert not seen.known_L2(BALL).certain
    assert 0.3 * PHASE.L2(BALL) <= seen.L2(BALL) <= PHASE.L2(BALL)
    guess = estimated(from_functions(value, subgradient, n=3, m=6), BALL, np.random.default_rng(0), points=400)
    assert 0.3 * PHASE.rho <= guess.rho <= PHASE.rho * (1 + 1e-9)
    with pytest.raises(ValueError, match="L2 = None must be declared"):
        bare.L2(BALL)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"weights": [0.5] * 6}, "weights = .* sum to 1"),
        ({"weights": [1.0]}, r"weights.shape = \(1,\)"),
        ({"subgradient": lambda x, i: np.zeros(2)}, r"subgradient\(x, 0\).shape = \(2,\)"),
        ({"subgradient": lambda x, i: np.full(3, np.nan)}, r"subgradient\(x, 0\) = .*finite"),
        ({"value": lambda x, i: np.nan}, r"value\(0, 0\) = nan"),
        ({"value": 3}, "value = 3 must be a function"),
        ({"m": 0}, "m = 0"),
        ({"n": 2.0}, "n = 2.0"),
        ({"rho": -1.0}, "value = -1.0 must be at least 0"),
        ({"lipschitz": 1.0}, "constant = 'lipschitz' must be one of rho"),
    ],
)
def test_an_own_problem_is_checked_when_it_is_made(change, words: str) -> None:
    good = {"value": value, "subgradient": subgradient, "n": 3, "m": 6}
    with pytest.raises(ValueError, match=words):
        from_functions(**(good | change))


def test_smoothness_is_never_estimated_and_its_lack_is_said() -> None:
    found = estimated(OWN, BALL, np.random.default_rng(1), points=5)
    assert found.known_smoothness().how == "declared"
    assert not found.smooth
    with pytest.raises(ValueError, match="be smooth: no smoothness was declared"):
        slack.smooth(found, BALL, Parameters(0.01, 0.5))
    with pytest.raises(ValueError, match="be smooth: f has kinks"):
        slack.smooth(PHASE, BALL, Parameters(0.01, 0.5))
    assert from_functions(value, subgradient, n=3, m=6, smoothness=4.0).smooth


def test_an_estimate_decides_nothing() -> None:
    guessed = estimated(from_functions(value, subgradient, n=3, m=6), BALL, np.random.default_rng(1), points=5)
    setting = slack.nonsmooth(guessed, BALL, Parameters(0.01, 0.5))
    assert slack.lemma_3(setting, Past(0, np.zeros(3), np.zeros(3))).verdict == "undecided"


def test_a_wrong_declaration_is_found_out() -> None:
    wrong = from_functions(value, lambda x, i: -subgradient(x, i), n=3, m=6, rho=PHASE.rho)
    with pytest.raises(ValueError, match=r"problem .* must agree with its rho"):
        moreau(wrong, BALL, np.full(3, 0.4), envelope=0.02)


def test_a_step_asks_for_one_sample_however_many_there_are() -> None:
    asked = []

    def noted(x, i):
        asked.append(i)
        return np.ones(2)

    many = from_functions(lambda x, i: 0.0, noted, n=2, m=10**6, rho=0.0)
    asked.clear()
    run = shb(many, WholeSpace(2), ConstantStep(0.1), 0.5, np.zeros(2), np.random.default_rng(0))
    states = list(islice(run, 50))
    assert asked == [state.sample for state in states]
    begun = time.perf_counter()
    list(islice(run, 200))
    assert time.perf_counter() - begun < 1.0, "200 steps of two coordinates"


def test_the_cost_of_a_step_does_not_grow_with_the_number_of_samples() -> None:
    """Flat up to m = 10^6; a step that looked at all samples would cost thousands of times more."""

    def seconds(m: int) -> float:
        own = from_functions(lambda x, i: float(i), lambda x, i: np.full(2, i / m), n=2, m=m, rho=0.0)
        run = shb(own, WholeSpace(2), ConstantStep(1e-3), 0.5, np.zeros(2), np.random.default_rng(0))
        times = []
        for _ in range(5):
            begun = time.perf_counter()
            list(islice(run, 100))
            times.append(time.perf_counter() - begun)
        return min(times)

    assert seconds(10**6) < 10 * seconds(10**2)


def test_a_stream_of_samples_runs_and_refuses_expectations() -> None:
    stream = Stream(lambda x, s: x - s, lambda rng: rng.standard_normal(2), 2)
    run = shb(stream, WholeSpace(2), ConstantStep(0.1), 0.5, np.ones(2), np.random.default_rng(0))
    end = list(islice(run, 400))[-1]
    assert np.linalg.norm(end.x) < 1.0
    with pytest.raises(ValueError, match="problem"):
        slack.nonsmooth(stream, WholeSpace(2), Parameters(0.1, 0.5))


CASES = [(0.1, 0.9, 0.0), (0.05, 0.5, 0.5), (0.2, 0.0, 0.0), (0.1, 0.99, 0.99)]


def by_definition(lr: float, momentum: float, dampening: float, gradients, x):
    """The update of torch.optim.SGD as its documentation states it."""
    buffer, path = None, [x]
    for k in range(30):
        g = gradients(x, k)
        if momentum:
            buffer = g if buffer is None else momentum * buffer + (1 - dampening) * g
            g = buffer
        x = x - lr * g
        path.append(x)
    return np.array(path)


def noise(k: int):
    return np.random.default_rng(k).standard_normal(3)


def gradients(x, k: int):
    return np.array([1.0, 3.0, -0.2]) * x + noise(k)


def heavy_ball(lr: float, momentum: float, dampening: float):
    alpha, beta, start = from_torch(lr, momentum, dampening)
    count = iter(range(10**6))
    stream = Stream(gradients, lambda rng: next(count), 3)
    run = shb(stream, WholeSpace(3), ConstantStep(alpha), beta, np.ones(3), np.random.default_rng(0), start=start)
    return np.array([state.x for state in islice(run, 31)])


@pytest.mark.parametrize("case", CASES)
def test_torch_sgd_is_the_heavy_ball_it_is_said_to_be(case) -> None:
    assert np.allclose(heavy_ball(*case), by_definition(*case, gradients, np.ones(3)), rtol=1e-12, atol=1e-12)
    alpha, beta, start = from_torch(*case)
    assert np.allclose(to_torch(alpha, beta, start), case)
    other = by_definition(case[0] * 1.001, *case[1:], gradients, np.ones(3))
    assert not np.allclose(heavy_ball(*case), other, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("case", CASES)
def test_torch_itself_agrees(case) -> None:
    torch = pytest.importorskip("torch")
    lr, momentum, dampening = case
    x = torch.ones(3, dtype=torch.float64, requires_grad=True)
    optimiser = torch.optim.SGD([x], lr=lr, momentum=momentum, dampening=dampening)
    path = [x.detach().numpy().copy()]
    for k in range(30):
        x.grad = torch.from_numpy(gradients(x.detach().numpy(), k))
        optimiser.step()
        path.append(x.detach().numpy().copy())
    assert np.allclose(heavy_ball(*case), np.array(path), rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize(
    ("case", "words"),
    [
        ({"lr": 0.1, "momentum": 0.9, "nesterov": True}, "nesterov = True"),
        ({"lr": 0.1, "momentum": 0.9, "dampening": 0.5}, "dampening = 0.5"),
        ({"lr": 0.1, "momentum": 1.0}, "momentum = 1.0"),
        ({"lr": 0.0}, "lr = 0.0"),
    ],
)
def test_an_sgd_that_is_no_heavy_ball_is_refused(case, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        from_torch(**case)
