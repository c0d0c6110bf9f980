/* test_rejection_tree.c - the checks of test_adaptive_rejection.c with weights of 2^10 units.
 *
 * With the package's 2^40 units of the heaviest leaf, what a leaf of few units pays for its whole
 * number of them moves the law by too little for any test to see. */
#define DPD_REJECTION_UNITS 30

/* the package's own stays beside this copy */
#define dpd_rejection coarse_rejection
#define dpd_rejection_open coarse_rejection_open
#define dpd_rejection_reopen coarse_rejection_reopen
#define dpd_rejection_draw coarse_rejection_draw
#define dpd_rejection_impatient coarse_rejection_impatient
#define dpd_rejection_counts coarse_rejection_counts
#define dpd_rejection_carve coarse_rejection_carve
#define dpd_rejection_split coarse_rejection_split
#define dpd_rejection_log_weight coarse_rejection_log_weight
#define dpd_rejection_rescale coarse_rejection_rescale

#include "samp/adaptive_rejection.c"
#include "samp/rejection_tree.c"

#include "test_adaptive_rejection.c"
