# The text of formulas: how deep they may be, and how many terms they may expand to.

test_that("a sum may have hundreds of terms: what is counted is nesting within a term", {
  skip_on_cran()
  # sums of more than a hundred terms were refused
  data <- as.data.frame(matrix(stats::rnorm(40 * 400), 40))
  names <- paste0("V", 2:400)
  sum_of <- function(names) Reduce(function(a, b) call("+", a, b), lapply(names, as.name))
  long <- stats::as.formula(call("~", quote(V1), sum_of(names)))
  expect_identical(public_frame(long, data), public_frame(V1 ~ ., data))
  expect_identical(colnames(public_frame(long, data)$x), names)
  minus <- stats::as.formula(call("~", quote(V1), call("-", sum_of(names), quote(V7))))
  expect_identical(colnames(public_frame(minus, data)$x), setdiff(names, "V7"))
  refused <- function(right, say) {
    formula <- stats::as.formula(call("~", quote(V1), right))
    expect_error(public_frame(formula, data), say, class = "dpdepth_error_input")
  }
  nested <- function(name, k) Reduce(function(a, i) call(name, a), seq_len(k), quote(V2))
  for (name in c("I", "(", "log", "-")) refused(nested(name, 150), "nested more than 100")
  # R's parser could not read it again, and said so in words of its own
  refused(nested("I", 60), "nested more than 45")
  refused(call("I", sum_of(names)), "nested more than 100")
  refused(Reduce(function(a, b) call("+", as.name(b), a), names[1:150], quote(V2)), "nested more than 100")
  expect_identical(ncol(public_frame(stats::as.formula(call("~", quote(V1), nested("I", 45))), data)$x), 1L)
})

random_terms <- function(depth) {
  if (depth == 0) return(as.name(sample(letters[1:6], 1)))
  part <- call(sample(c("+", "*", ":", "/", "-", "^"), 1), random_terms(depth - 1), random_terms(depth - 1))
  if (part[[1]] == "^") part[[3]] <- sample(2:3, 1)
  call("(", part)
}

test_that("what terms() would expand for minutes is refused by the formula's text, before it", {
  # a chain of a hundred * doubled the terms a hundred times
  data <- as.data.frame(matrix(stats::rnorm(10 * 300), 10))
  chain <- function(op, k) Reduce(function(a, b) call(op, a, b), lapply(paste0("V", 1 + seq_len(k)), as.name))
  taken <- function(right) {
    size <- expansion_size(right)
    terms <- length(attr(stats::terms(stats::as.formula(call("~", right))), "term.labels"))
    expect_gte(size, terms)
    size
  }
  expect_identical(taken(chain("*", 9)), 511)
  expect_identical(taken(quote((a + b + c)^2)), 6)
  expect_identical(taken(quote((a + b + c):(d + e) - a:d)), 6)
  expect_identical(taken(quote((a + b) / (c * d) + (((e))))), 6)
  expect_identical(taken(quote(log(a) + I(b * c * d) - 1)), 2)
  set.seed(8)
  for (i in 1:100) taken(random_terms(3))
  refused <- function(right, say = "expansion has more than 2047 terms") {
    formula <- stats::as.formula(call("~", quote(V1), right))
    expect_error(public_frame(formula, data), say, class = "dpdepth_error_input")
  }
  with_bindings(list(public_terms = function(...) stop("terms() was reached")), {
    for (k in c(11, 12, 30, 100, 299)) refused(chain("*", k + (k == 11)))
    refused(call("^", call("(", chain("+", 100)), 2))
    refused(call("^", call("(", chain("+", 2)), 1e9))
    refused(call(":", call("(", chain("+", 100)), call("(", chain("+", 100))))
    for (power in list(2.5, 0, 1, -1, Inf, quote(V3))) refused(call("^", quote(V2), power), "whole number")
  })
  expect_identical(ncol(public_frame(stats::as.formula(call("~", quote(V1), chain(":", 120))), data)$x), 1L)
})
