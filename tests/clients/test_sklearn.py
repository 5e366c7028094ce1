"""scikit-learn fits estimators on our tensors, told so by array_api_dispatch."""

import copy
import pickle
from collections.abc import Iterator

import numpy as np
import pytest
import sklearn
from sklearn import metrics
from sklearn.base import clone
from sklearn.decomposition import PCA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import GridSearchCV, cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PolynomialFeatures, StandardScaler

import trivet as tv

# It silences NumPy about 0 / 0 where it means that, and has no way to silence others.
pytestmark = pytest.mark.filterwarnings(
    "ignore:invalid value encountered in divide:RuntimeWarning"
)


@pytest.fixture(autouse=True)
def dispatching() -> Iterator[None]:
    with sklearn.config_context(array_api_dispatch=True):
        yield


def ridge() -> Ridge:
    return Ridge(alpha=1.0, solver="svd")


def test_standard_scaler(place, X):
    scaled = StandardScaler().fit_transform(X)

    place.has(scaled[0, :], [-1.34164, -1.35781])
    place.has(scaled[-1, :], [1.34164, 1.24919])


def test_polynomial_features(place):
    x = place.tensor([[1, 2]])

    place.has(PolynomialFeatures(2).fit_transform(x), [[1, 1, 2, 1, 2, 4]])


def test_pca(place, X):
    fitted = PCA(2, svd_solver="full").fit(X)

    place.has(fitted.explained_variance_, [13.70078, 0.02838])


def test_ridge(place, X, Y):
    fitted = ridge().fit(X, Y)

    place.has(fitted.coef_, [0.34063, 0.21204])
    assert float(fitted.intercept_) == pytest.approx(0.175787, abs=1e-6)
    place.has(fitted.predict(place.tensor([[2, 2]])), [1.28112])


def test_logistic_regression(place, X, L):
    fitted = LogisticRegression().fit(X, L)

    place.has(fitted.predict_proba(X)[:, 1], [0.02224, 0.20492, 0.80218, 0.97067], 1e-4)


def test_linear_discriminant_analysis(place, X, L):
    fitted = LinearDiscriminantAnalysis().fit(X, L)

    place.has(fitted.predict(place.tensor([[2, 2], [6, 7]])), [0, 1])


def test_gaussian_naive_bayes(place, X, L):
    fitted = GaussianNB().fit(X, L)

    place.has(fitted.predict_proba(place.tensor([[4, 5]])), [[0.90135, 0.09865]])


def test_pipeline(place, X, Y):
    model = make_pipeline(StandardScaler(), PCA(1, svd_solver="full"), ridge())

    place.has(model.fit(X, Y).predict(X), [1.08931, 2.0925, 3.21929, 4.0989])


def test_cross_validation(place, X, Y):
    found = cross_val_predict(ridge(), X, Y, cv=2)

    place.has(found, [0.5, 1.77273, 2.8, 3.5])


def test_grid_search(X, Y):
    search = GridSearchCV(ridge(), {"alpha": [0.1, 10]}, cv=2).fit(X, Y)

    assert search.best_params_ == {"alpha": 0.1}


def test_r2_score(place, Y):
    predicted = place.tensor([1, 2, 3, 4])

    assert metrics.r2_score(Y, predicted) == pytest.approx(0.962617, abs=1e-6)


def test_log_loss(L, P):
    assert metrics.log_loss(L, P) == pytest.approx(0.472288, abs=1e-6)


def test_average_precision_score(L, P):
    found = metrics.average_precision_score(L, P)

    assert found == pytest.approx(0.833333, abs=1e-6)


def test_confusion_matrix(place, L):
    predicted = place.tensor([0, 1, 1, 1], tv.int64)

    place.has(metrics.confusion_matrix(L, predicted), [[1, 1], [0, 2]])


def test_roc_curve(place, L, P):
    false, true, thresholds = metrics.roc_curve(L, P)

    place.has(false, [0, 0, 0.5, 0.5, 1])
    place.has(true, [0, 0.5, 0.5, 1, 1])
    place.has(thresholds, [float("inf"), 0.8, 0.4, 0.35, 0.1])


def test_euclidean_distances(place, X):
    found = metrics.pairwise.euclidean_distances(X)

    place.has(found[0, :], [0, 2.82843, 6.0208, 8.48528])


def test_rbf_kernel(place, X):
    found = metrics.pairwise.rbf_kernel(X[:2, :], gamma=0.1)

    place.has(found, [[1, 0.44933], [0.44933, 1]])


def test_score_of_numpy_targets_follows_the_predictions(X, Y):
    predicted = ridge().fit(X, Y).predict(X)
    # 1 - sum((y - p)^2) / sum((y - mean)^2)
    y, p = np.array([1, 2, 3, 4.5]), np.array(predicted.tolist())
    expected = 1 - ((y - p) ** 2).sum() / ((y - y.mean()) ** 2).sum()

    assert metrics.r2_score(y, predicted) == pytest.approx(expected)


def test_fitted_estimator_refuses_numpy_arrays_and_names_both(X, Y):
    fitted = ridge().fit(X, Y)

    with pytest.raises(ValueError, match=r"numpy.*trivet|trivet.*numpy"):
        fitted.predict(np.ones((1, 2)))


@pytest.mark.parametrize(
    "again", [copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))]
)
def test_fitted_estimator_survives_copies_and_pickles(place, X, Y, again):
    fitted = make_pipeline(StandardScaler(), ridge()).fit(X, Y)

    place.has(again(fitted).predict(X), fitted.predict(X).tolist())


def test_estimator_with_a_tensor_among_its_parameters_is_cloned(place):
    priors = place.tensor([0.5, 0.5])

    cloned = clone(GaussianNB(priors=priors)).priors

    place.has(cloned, [0.5, 0.5])
    assert cloned is not priors
