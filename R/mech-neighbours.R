# Data sets that differ by one row more or less: n is private then, and nothing but the draw may depend on it.
#
# METHOD: one public row is counted along with the data, so that data without rows have a distribution as
#   well. A score that counts rows, as halfspace depth, falls nowhere when a row is added, and rises by at
#   most one: a density proportional to exp(epsilon h), twice the exponent of substitution, is epsilon-private
#   and has log ratios in a range of epsilon. Plans and warnings take a public number of rows in place of n.
# REFERENCE: vignettes/proofs-accounts.Rmd, section 4.

neighbour_kinds <- c("substitution", "add_remove")

check_neighbours <- function(neighbours) check_choice(neighbours, neighbour_kinds, "neighbours")

# What plans and warnings take for n.
private_size <- 10000L

# A numeric matrix with a public row below the data, which may have no rows. PRIVATE: x. `middle(d, names)`:
# as for replace_missing(); NULL where there are no limits: then 0.
with_public_row <- function(x, na, middle, arg = "x", margins = FALSE) {
  row <- function(x) if (is.null(middle)) numeric(ncol(x)) else middle(ncol(x), names_of(x))
  if (is_tally(x)) return(and_row(check_tally(x, arg, margins), row(x)))
  x <- check_data(x, arg, min_n = 0L, finite = FALSE)
  fill_missing(and_row(x, row(x)), na, middle, arg)
}

# The size that all but the draw may know.
size_between <- function(neighbours, x) if (neighbours == "substitution") nrow(x) else private_size

# Warnings of accuracy name the number of rows that they are about, which is not the data's, and the epsilon
# that was asked for, of which a draw may have a share.
tell_assumed <- function(neighbours, warn, epsilon = NULL, asked = epsilon) {
  if (neighbours == "substitution") return(warn)
  withCallingHandlers(warn, dpdepth_warning_accuracy = function(w) {
    text <- sub("n = (10,?000|2,?000)\\b", "n = \\1 (assumed, since n is private)", conditionMessage(w))
    if (!identical(epsilon, asked)) {
      text <- sub(paste("epsilon =", format(epsilon)), paste("epsilon =", format(asked)), text, fixed = TRUE)
    }
    warn_dpdepth("accuracy", text)
    invokeRestart("muffleWarning")
  })
}

# The epsilon of a draw at rate epsilon/2 whose score can only rise when a row is added. The draw's errors
# take up to 2^-34 and a share of 2^-40 of an epsilon under substitution; here they weigh twice that.
monotone_epsilon <- function(epsilon, neighbours) {
  if (neighbours == "substitution") epsilon else min(1e6, 2 * epsilon * (1 - 2^-38) - 2^-32)
}

# Of each group, or of the complete rows alone: a row that is replaced may be one less in a private group and
# one more in another.
group_epsilon <- function(epsilon, groups, neighbours) {
  if (groups == "public" || neighbours == "add_remove") return(epsilon)
  each <- epsilon / 2
  if (each < 1e-6) stop_input("epsilon", "at least 2e-6 where a replaced row is two steps", format(epsilon))
  each
}

# A method without a distribution for a private n.
refuse_private_size <- function(neighbours, method,
                                why = "Its privacy is proved for data sets of one size only.") {
  if (neighbours == "substitution") return(invisible(NULL))
  stop_input("neighbours", sprintf("\"substitution\" with %s", method), "\"add_remove\"", why,
             refused = sprintf("That is refused with %s. %s", method, why))
}
