# A release where numbers are wanted: as text and as numbers what it holds, in arithmetic a refusal in words.

#' @export
as.double.dp_release <- function(x, ...) unname(x$estimate)

# One line, for paste() and for text in a document.
#' @export
as.character.dp_release <- function(x, digits = 4L, ...) {
  if (!x$released) return("not released")
  if (inherits(x, "dp_test")) return(paste("p", sub("^([^<])", "= \\1", p_value_text(x$p.value, digits))))
  detail_text(if (length(x$estimate) == 1) unname(x$estimate) else x$estimate, digits)
}

#' @export
as.character.dp_by <- function(x, ...) {
  paste(names(x$releases), vapply(x$releases, as.character, "", ...), sep = ": ", collapse = "; ")
}

# In a document: a chunk prints the release, `r x` within a sentence gives the line.
#' @rawNamespace S3method(knitr::knit_print,dp_release)
#' @rawNamespace S3method(knitr::knit_print,dp_by,knit_print.dp_release)
knit_print.dp_release <- function(x, ..., inline = FALSE) {
  if (inline) as.character(x) else knitr::normal_print(x)
}

#' @importFrom stats update
#' @export
#' @rawNamespace S3method(update,dp_by,update.dp_release)
update.dp_release <- function(object, ...) {
  refuse_method("update()", "its call has no data, and another draw spends the budget again",
                "Call the function again, with the data and the ledger.")
}

#' @export
update.dp_plan <- function(object, ...) {
  refuse_method("update()", "a plan has no call", "Call the function of the plan again; nothing is spent.")
}

#' @export
#' @rawNamespace S3method(c,dp_by,c.dp_release)
#' @rawNamespace S3method(rbind,dp_release,c.dp_release)
#' @rawNamespace S3method(rbind,dp_by,c.dp_release)
#' @rawNamespace S3method(cbind,dp_release,c.dp_release)
#' @rawNamespace S3method(cbind,dp_by,c.dp_release)
c.dp_release <- function(...) {
  refuse_method("c(), rbind() or cbind()", "several releases are no release", paste(
    "list(a, b) keeps them; c(coef(a), coef(b)) and rbind(tidy(a), tidy(b)) have their numbers."
  ))
}

refuse_numbers <- function(asked) {
  refuse_method(asked, "a release is not a sample, but what was released, with its guarantee",
                "coef() gives the numbers; nothing is spent by what is computed from them.")
}

#' @export
#' @rawNamespace S3method(Ops,dp_by,Ops.dp_release)
Ops.dp_release <- function(e1, e2) refuse_numbers(sprintf("`%s`", .Generic)) # nolint: object_name_linter.

#' @export
#' @rawNamespace S3method(Math,dp_by,Math.dp_release)
Math.dp_release <- function(x, ...) refuse_numbers(paste0(.Generic, "()")) # nolint: object_name_linter.

#' @export
#' @rawNamespace S3method(Summary,dp_by,Summary.dp_release)
Summary.dp_release <- function(..., na.rm = FALSE) { # nolint: object_name_linter.
  refuse_numbers(paste0(.Generic, "()"))
}

#' @export
#' @rawNamespace S3method(mean,dp_by,mean.dp_release)
mean.dp_release <- function(x, ...) refuse_numbers("mean()")

#' @importFrom stats median
#' @export
#' @rawNamespace S3method(median,dp_by,median.dp_release)
median.dp_release <- function(x, na.rm = FALSE, ...) { # nolint: object_name_linter.
  if (inherits(x, c("dp_ecdf", "dp_quantile"))) return(unname(quantile(x, 0.5)))
  refuse_numbers("median()")
}

#' @export
#' @rawNamespace S3method(quantile,dp_by,quantile.dp_release)
quantile.dp_release <- function(x, ...) {
  refuse_method("quantile()", "this release holds no quantiles",
                "dp_quantile() releases some, dp_ecdf() all at once; coef() gives the numbers of this one.")
}
