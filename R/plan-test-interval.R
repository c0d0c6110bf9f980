# The planned widths of limits of a shift and of a difference of medians: public numbers only.
#
# METHOD: the scans meet the expected counts of normal rows, see R/mech-interval-width.R: of a shift those of
#   the differences, which are as many as there are pairs of rows and sqrt(2) times as wide as the rows.

# In standard deviations of normal rows. Wide limits cost next to nothing more, so
# that none are asked for.
plan_two_samples <- function(n, epsilon, test, share, level, width) {
  level <- check_interval_level_given(level)
  share <- if (is.null(share)) 0.5 else check_number(share, "share", 0.01, 0.5, closed = c(TRUE, TRUE))
  what <- c(rank = "the shift", sign = "the difference of medians")[[test]]
  plan <- function(n, epsilon) {
    new_interval_plan(what, "scans", n, epsilon, level, two_samples_width(n, epsilon, test, share, level),
                      "standard deviation 1, in both samples")
  }
  reached <- function(n, epsilon) two_samples_width(n, epsilon, test, share, level)$width
  search_interval(plan, reached, n, epsilon, width, NULL, 1e8)
}

two_samples_width <- function(n, epsilon, test, share, level) {
  smaller <- max(1, round(share * n))
  sizes <- c(smaller, n - smaller)
  check_samples_budget(sizes, epsilon)
  shift <- test == "rank"
  plans <- if (shift) list(shift_plan(shift_blocks(sizes[[1]], sizes[[2]]), level, epsilon, most_reach))
           else two_medians_plan(sizes, level, epsilon, most_reach)
  spread <- if (shift) sqrt(2) else 1
  # of Hodges and Lehmann's estimate, and of the medians' difference
  error <- sqrt(pi * (if (shift) 1 / 3 else 1 / 2) * sum(1 / sizes))
  list(width = spread * medians_width(plans, planned_half),
       sampling = 2 * stats::qnorm(0.5 + level / 2) * error,
       far = max(vapply(plans, function(plan) max(plan$early, plan_lost(plan, planned_half)), 0)))
}

# Half the limits' width that is planned for, in standard deviations.
planned_half <- 100
