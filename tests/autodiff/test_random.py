"""Random numbers whose distribution depends on a variable."""

import pytest

import trivet as tv


@pytest.mark.parametrize(
    "draw",
    [
        lambda g, p: g.bernoulli(p),
        lambda g, p: g.poisson(p),
        lambda g, p: g.categorical(p, 3),
        lambda g, p: g.gamma(p),
    ],
)
def test_numbers_drawn_are_constants_where_the_parameters_are_tracked(ad, draw):
    p = tv.asarray([0.2, 0.9], backend=ad).require_grad()
    plain, recording = (
        draw(tv.random.Generator(3, backend=own.backend), own) for own in (p.inner(), p)
    )

    assert recording.tolist() == plain.tolist()
    assert not recording.backend.is_tracked(recording.handle)
