/**
 * The instant in a column as one that JavaScript can represent. In a column without a check, a login may have stored
 * `infinity`, which the driver returns as a number, or a year for which there is no Date.
 */
export const finiteInstant = (column: string): string =>
  `least(greatest(${column}, to_timestamp(0)), to_timestamp(253402300799))`
