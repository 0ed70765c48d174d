"""Empirical likelihood with a unit added, from its definition, by SciPy's optimizers alone."""

import numpy as np
import scipy

UNSEEN = 0.35


def units(values, clusters):
    """The sums and the sizes of the clusters, in mean sizes."""
    values, clusters = np.asarray(values, float), np.asarray(clusters)
    names = sorted({*clusters.tolist()})
    sums = np.array([values[clusters == name].sum() for name in names])
    sizes = np.array([(clusters == name).sum() for name in names])
    return sums / sizes.mean(), sizes / sizes.mean()


def ratio(mean, sums, sizes, unseen):
    """Twice the logarithm of how much less likely a mean is than the best, if it is too low."""
    off = np.append(sums - sizes * mean, unseen - mean)
    weights = np.append(np.ones(len(sums)), UNSEEN)
    most = (1 - 1e-12) / max(-off.min(), 1e-12)

    def wealth(t):
        return -(weights * np.log1p(t * off)).sum()

    found = scipy.optimize.minimize_scalar(
        wealth, bounds=(0, most), method="bounded", options={"xatol": 1e-14}
    )
    return max(0.0, -2 * found.fun)


def limits(values, clusters, level=0.95, ends=(-1.0, 1.0)):
    """The limits of the interval of the mean of all values."""
    sums, sizes = units(values, clusters)
    bound, found = scipy.stats.chi2.ppf(level, 1), []
    for sign, end in ((1, ends[0]), (-1, -ends[1])):
        least = min(end, (sign * sums / sizes).min())
        most = (sign * sums.sum() + UNSEEN * end) / (sizes.sum() + UNSEEN)

        def off(mean, sign=sign, end=end):
            return ratio(mean, sign * sums, sizes, end) - bound

        found.append(
            sign
            * (scipy.optimize.brentq(off, least + 1e-10, most, xtol=1e-13) if most > least else end)
        )
    return found


def p_value(values, clusters, ends=(-1.0, 1.0)):
    """The chance of a mean so far from 0."""
    sums, sizes = units(values, clusters)
    both = ratio(0.0, sums, sizes, ends[0]), ratio(0.0, -sums, sizes, -ends[1])
    return float(scipy.stats.chi2.sf(max(both), 1))
