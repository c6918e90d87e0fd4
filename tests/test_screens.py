"""Figures for every screen: two drawings in one output, the same bytes each time, colours that follow the theme."""

import re
from collections.abc import Iterator
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pytest

from shbcore.pages import screens, style


@pytest.fixture(autouse=True)
def figures() -> Iterator[None]:
    style.use()
    yield
    plt.close("all")


def drawn(**options: Any) -> Any:
    """Two panels side by side, one with a field of colours, with a label that moves and a small letter."""
    words = {"titles": ("left", "right"), "xlabel": "$x$", "ylabel": "$y$", "sharey": True}
    fig, axes = style.figure(1, 2, height=3.0, **{**words, **options})
    for ax, role in zip(axes[0], (style.SHB, style.WRONG), strict=True):
        ax.plot([0, 1, 2], [1, 0, 1], **role.line)
    axes[0, 1].pcolormesh(np.arange(9.0).reshape(3, 3), alpha=0.5)
    axes[0, 1].text(0, 0, "small", fontsize=6)
    style.label(axes[0, 0], 1, 0.5, "here", style.SHB, narrow=(0.5, 0.7))
    return fig


def size(svg: str) -> tuple[float, float]:
    found = re.search(r'width="([\d.]+)pt" height="([\d.]+)pt"', svg)
    assert found is not None
    return float(found.group(1)) / 72, float(found.group(2)) / 72


def test_an_output_holds_a_drawing_for_a_desk_and_one_for_a_phone() -> None:
    (kind, text), *others = screens.bundle(drawn()).items()
    assert (kind, others) == ("image/svg+xml", [])
    desk, phone = screens.apart(text)
    assert size(desk)[0] == pytest.approx(style.WIDTH, abs=0.25)
    assert size(phone)[0] <= screens.NARROW + 0.25
    assert size(phone)[1] > 1.4 * size(desk)[1]
    assert "metadata" not in desk + phone
    assert screens.apart(desk) == (desk, desk)


def test_a_drawing_has_the_same_bytes_each_time_and_no_date() -> None:
    first, second = (screens.bundle(drawn())["image/svg+xml"] for _ in range(2))
    assert first == second
    assert "date" not in first


def test_a_figure_that_is_shown_again_is_not_the_one_for_a_phone() -> None:
    fig = drawn()
    assert screens.bundle(fig) == screens.bundle(fig)


def test_panels_are_stacked_with_their_labels_and_no_letter_is_small() -> None:
    fig = drawn()
    screens.fold(fig)
    fig.draw_without_rendering()
    left, right = fig.panels[0]
    assert left.get_position().y0 > right.get_position().y1
    assert left.get_position().x0 == pytest.approx(right.get_position().x0)
    assert right.get_ylabel() == "$y$"
    assert all(label.get_visible() for label in right.get_yticklabels())
    assert min(text.get_fontsize() for text in fig.findobj(plt.Text)) >= screens.LEAST
    assert left.texts[0].get_position() == (0.5, 0.7)


def test_an_empty_panel_takes_no_room_on_a_phone() -> None:
    fig, axes = style.figure(1, 3)
    axes[0, 2].set_axis_off()
    screens.fold(fig)
    assert axes[0, 0].get_subplotspec().get_gridspec().nrows == 2
    assert not axes[0, 2].get_visible()


def test_a_height_for_a_phone_is_kept() -> None:
    fig = drawn(narrow=7.0)
    assert fig.get_figheight() == 3.0
    screens.fold(fig)
    assert fig.get_figheight() == 7.0


@pytest.mark.parametrize("inverted", [False, True])
def test_names_of_rows_stand_above_them_on_a_phone(inverted: bool) -> None:
    fig, axes = style.figure()
    ax = axes[0, 0]
    ax.barh([0, 1], [1, 2], height=0.6)
    ax.set_yticks([0, 1], ["a long name", "another"])
    if inverted:
        ax.invert_yaxis()
    style.rows(ax, 0.3)
    screens.fold(fig)
    assert [text.get_text() for text in ax.texts] == ["a long name", "another"]
    assert [text.xy[1] for text in ax.texts] == [0, 1]
    lower = [0, 1] if inverted else [-0.3, 0.7]  # the half of a bar that stays
    assert [bar.get_y() for bar in ax.patches] == pytest.approx(lower)
    assert [bar.get_height() for bar in ax.patches] == pytest.approx([0.3, 0.3])
    assert {label.get_text() for label in ax.get_yticklabels()} == {""}


def test_formulas_in_names_of_rows_are_as_large_as_words() -> None:
    fig, axes = style.figure()
    ax = axes[0, 0]
    ax.set_yticks([0, 1], [r"at $\alpha_0$", "another"])
    fig.draw_without_rendering()
    assert {label.get_math_fontfamily() for label in ax.get_yticklabels()} == {"cm"}
    style.rows(ax)
    fig.draw_without_rendering()
    assert {label.get_math_fontfamily() for label in ax.get_yticklabels()} == {screens.EVEN}
    screens.fold(fig)
    assert {text.get_math_fontfamily() for text in ax.texts} == {screens.EVEN}
    assert {text.get_fontsize() for text in ax.texts} == {screens.ROW}


def test_a_long_name_of_a_row_is_set_smaller_and_takes_no_room() -> None:
    widths, sizes = [], []
    for name in ("short", "a name of a row that is nearly sixty letters long, for a test"):
        fig, axes = style.figure()
        axes[0, 0].set_yticks([0, 1], [name, "another"])
        style.rows(axes[0, 0])
        screens.fold(fig)
        fig.draw_without_rendering()
        widths.append(axes[0, 0].get_position().width)
        text = axes[0, 0].texts[0]
        sizes.append(text.get_fontsize())
        assert text.get_window_extent().width < fig.bbox.width
    assert sizes[0] == screens.ROW > sizes[1] >= screens.LEAST
    assert widths[0] == pytest.approx(widths[1])


def test_colours_follow_the_theme_and_fields_are_one_picture() -> None:
    desk, _ = screens.apart(screens.bundle(drawn())["image/svg+xml"])
    page = screens.themed(desk)
    head, _, body = page.partition("</style>")
    assert desk.count("<image") == 1
    assert 'id="dark"' in head
    assert 'id="light"' in body
    for light, dark in screens.DARK.items():
        assert light not in body
        assert f"--c{light[1:]}:{light};" in head
        assert f"--c{light[1:]}:{dark};" in head
    assert body.count("var(--c0b5394)") >= 2  # the curve and its label


def brightness(color: str) -> float:
    return sum(weight * int(color[i : i + 2], 16) for weight, i in ((0.2126, 1), (0.7152, 3), (0.0722, 5)))


def test_every_role_is_told_from_both_backgrounds() -> None:
    roles = [one.color for one in (style.SHB, style.SGD, style.WRONG, style.NEUTRAL, style.ENVELOPE, style.ACCENT)]
    for color in [*roles, style.INK]:
        assert brightness(style.PAPER) - brightness(color) > 70
        assert brightness(screens.DARK[color]) - brightness(screens.DARK[style.PAPER]) > 90
    assert len({screens.DARK[color] for color in roles}) == len(roles)
