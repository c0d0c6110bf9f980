# Keys of rows: ids, groups and levels, each value by itself as one text.
#
# METHOD: R compares strings by a rule that all of them decide on, and may fail if one is marked "bytes". So
#   key_text() makes text of each value by itself, in UTF-8, before match() or duplicated() sees it; what is
#   no valid text has one key of its own. A whole number has all of its digits, so that 100000L, 1e5 and an
#   integer64 are one key; others have 15 digits, as R prints them. No method of a class is called.
#   A vector is values, and a formula names columns. Neither is ever read as the other, whatever n is: a text
#   could be both where there is one row.
# REFERENCE: vignettes/proofs-accounts.Rmd, sections 4 and 5.

# U+FFFF, which Unicode assigns to no character, is itself no valid text.
no_text <- "\uffff"

# PRIVATE: x, a vector. NA for what is missing, the codes of a factor beyond its levels among it.
key_text <- function(x) {
  if (is.factor(x)) {
    levels <- attr(x, "levels")
    return(if (is.character(levels)) valid_text(levels)[factor_codes(x)] else rep(NA_character_, length(x)))
  }
  bare <- x
  attributes(bare) <- NULL
  if (is.character(bare)) valid_text(bare)
  else if (inherits(x, "integer64")) integer64_text(bare)
  else if (inherits(x, c("Date", "POSIXct")) && is.numeric(bare)) time_text(bare, x)
  else if (is.numeric(bare)) number_text(bare)
  else as.character(bare)
}

# A number for each value, the same for equal keys.
key_places <- function(x) {
  text <- key_text(x)
  match(text, text)
}

# Codes from 1 to the number of levels; NA where a factor that was made by hand has others.
factor_codes <- function(x) {
  codes <- x
  attributes(codes) <- NULL
  match(codes, seq_along(attr(x, "levels")))
}

valid_text <- function(x) {
  attributes(x) <- NULL
  x[Encoding(x) == "bytes" | !validEnc(x)] <- no_text
  enc2utf8(x)
}

# By values that differ, of which there are few; adding zero makes one of the two zeros. Digits as R prints.
number_text <- function(x) {
  x <- as.double(x) + 0
  each <- unique(x)
  whole <- abs(each) < 2^64 & each == trunc(each)
  text <- rep(NA_character_, length(each))
  text[which(whole)] <- sprintf("%.0f", each[which(whole)])
  text[which(!whole)] <- sprintf("%.15g", each[which(!whole)])
  text[match(x, each)]
}

# Dates as such, times by day and second, as texts of levels are written. Beyond 2,700 years from 1970, where
# calendars end, the number stands for itself.
time_text <- function(bare, x) {
  days <- inherits(x, "Date")
  bare <- as.double(bare)
  text <- number_text(bare)
  near <- which(abs(bare) < 1e6 * if (days) 1 else 86400)
  if (days) return(replace(text, near, format(structure(bare[near], class = "Date"), "%Y-%m-%d")))
  zone <- attr(x, "tzone")
  zone <- if (is.character(zone) && length(zone) > 0) zone[[1]] else ""
  part <- bare[near] - floor(bare[near])
  second <- suppressWarnings(format(.POSIXct(floor(bare[near]), zone), "%Y-%m-%d %H:%M:%S"))
  replace(text, near, ifelse(part > 0, paste0(second, sub("^0", "", number_text(part))),
                             sub(" 00:00:00$", "", second)))
}

# -- whole numbers of 64 bits ----------------------------------------------------------------------

# Words of 16 bits, the lowest first, a column each: R's own NA is among the integers of 32. The bits stand in
# the place of doubles.
words64 <- function(x) {
  bits <- writeBin(as.double(unclass(x)), raw(), endian = "little")
  matrix(readBin(bits, "integer", 4 * length(x), size = 2, signed = FALSE, endian = "little") + 0, 4)
}

# All digits, by parts of seven. The least of these numbers stands for NA.
integer64_text <- function(x) {
  words <- words64(x)
  negative <- words[4, ] >= 2^15
  words[, negative] <- 2^16 - 1 - words[, negative]
  words[1, ] <- words[1, ] + negative
  digits <- matrix(0, 3, ncol(words))
  for (k in 4:1) {
    carry <- words[k, ]
    for (j in 1:3) {
      value <- digits[j, ] * 2^16 + carry
      digits[j, ] <- value %% 1e7
      carry <- value %/% 1e7
    }
  }
  text <- sub("^0+(.)", "\\1", sprintf("%.0f%07.0f%07.0f", digits[3, ], digits[2, ], digits[1, ]))
  text <- paste0(ifelse(negative, "-", ""), text)
  replace(text, text == "-9223372036854775808", NA)
}

# -- what is declared ------------------------------------------------------------------------------

# The texts of public levels.
declared_keys <- function(levels, arg = "levels") {
  text <- if (is.atomic(levels) && length(dim(levels)) < 2) key_text(levels)
  if (length(text) == 0 || anyNA(text) || no_text %in% text || anyDuplicated(text)) {
    stop_input(arg, "distinct values, none of them missing, text among them in a valid encoding",
               describe(levels))
  }
  text
}

# -- where the keys are ----------------------------------------------------------------------------

key_forms <- "a vector with a value for each row, or a formula that names columns of a data frame"

mend_keys <- function(arg) {
  sprintf("Name columns by a formula, such as %s = ~%s: text is taken for the values.", arg,
          if (arg == "id") "person" else "ward")
}

# The names in a one-sided formula, such as ~ward + year.
key_names <- function(formula, arg, most = Inf) {
  listed <- function(part) {
    if (is.name(part)) return(as.character(part))
    sum <- is.call(part) && identical(part[[1]], quote(`+`)) && length(part) == 3
    if (sum) c(listed(part[[2]]), listed(part[[3]])) else NA
  }
  names <- if (inherits(formula, "formula") && length(formula) == 2) listed(formula[[2]])
  if (is.null(names) || anyNA(names) || anyDuplicated(names) || length(names) > most) {
    stop_input(arg, if (most == 1) "a formula that names a column, such as ~person"
                    else "a formula that names columns, such as ~ward or ~ward + year",
               if (is.null(names)) describe(formula) else "a formula of another form")
  }
  names
}

# The vectors of keys, and the data without the columns that they are. PRIVATE.
take_keys <- function(x, key, arg, most = Inf) {
  if (!inherits(key, "formula")) return(list(x = x, keys = list(key)))
  names <- key_names(key, arg, most)
  if (!is.data.frame(x)) stop_input(arg, key_forms, "a formula with data of another kind", mend_keys(arg))
  x <- as.data.frame(x)
  strange <- names[!names %in% names(x)]
  if (length(strange) > 0) {
    stop_input(arg, "a formula that names columns of the data", given_names(strange, names(x)))
  }
  own <- names(x) %in% names
  if (sum(own) > length(names)) {
    stop_input(arg, "a formula of columns that have names of their own", "one of a name that columns share")
  }
  list(x = x[!own], keys = unclass(x)[names])
}

# How many values there are is said of none: n may be private.
check_key <- function(key, n, arg) {
  if (is.atomic(key) && !is.null(key) && length(dim(key)) < 2 && length(key) == n) return(key)
  was <- if (is.null(key)) "NULL" else if (is.atomic(key)) "one of another length" else "another object"
  stop_input(arg, key_forms, was, mend_keys(arg))
}
