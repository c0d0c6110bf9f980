/* project.h - projections of rows on a direction. */
#ifndef NUM_PROJECT_H
#define NUM_PROJECT_H

#include "dpd.h"

/* out[i] = sum over j of u[j * stride] * x[i + j * n], added up in the order of j: a row's
 * projection has the same bits in any matrix. x: n x d, column-major. */
void dpd_project_rows(const double *x, int n, int d, const double *u, size_t stride, double *out);

#endif
