#!/usr/bin/env python3
"""Prints what scikit-learn and scikit-image say of the made maps and pictures of tests/core/statistics/agreement:

    pip install scikit-learn scikit-image && python agreement.py        # made with scikit-learn 1.9.1, scikit-image 0.26
"""
import math

import numpy as np
import skimage.metrics as pictures
import sklearn.metrics as maps


def classes():
    """Of 60 examples: class 3 is only predicted, class 4 of five is neither."""
    truth = [(i * i + i // 7) % 3 for i in range(60)]
    predicted = [t if i % 4 else (t + 1 + i % 3) % 4 for i, t in enumerate(truth)]
    return truth, predicted


def made(rows, columns, phase):
    r, c = np.mgrid[0:rows, 0:columns].astype(float)
    return 0.5 + 0.3 * np.sin(0.7 * r + phase) * np.cos(0.4 * c) + 0.1 * np.sin(2.1 * c + 0.3 * r + 3 * phase)


truth, predicted = classes()
print("confusion", maps.confusion_matrix(truth, predicted, labels=range(5)).tolist())
print("accuracy", maps.accuracy_score(truth, predicted), "kappa", maps.cohen_kappa_score(truth, predicted))
print("macro f1", maps.f1_score(truth, predicted, average="macro", zero_division=0),
      "mIoU", maps.jaccard_score(truth, predicted, average="macro", zero_division=0))
print("IoU", maps.jaccard_score(truth, predicted, average=None, zero_division=0).tolist())

a, b = made(17, 23, 0.0), made(17, 23, 0.5)
print("psnr", pictures.peak_signal_noise_ratio(b, a, data_range=1))
for span in (1, 255):
    print("ssim", span, pictures.structural_similarity(a * span, b * span, gaussian_weights=True, sigma=1.5,
                                                       use_sample_covariance=False, data_range=span))

scores = np.array([[math.sin(3 * q + 2 * k) for k in range(9)] for q in range(9)])
for k in (1, 3, 5):
    print("top", k, maps.top_k_accuracy_score(range(9), scores, k=k))
angles = [math.degrees(math.acos(a[i] @ b[i] / np.linalg.norm(a[i]) / np.linalg.norm(b[i]))) for i in range(17)]
print("angle", np.mean(angles))
