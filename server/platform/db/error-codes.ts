// Error codes that several parts of the server handle, by their names in the documentation of Postgres (appendix A).

export const UNIQUE_VIOLATION = '23505'
export const INVALID_AUTHORIZATION = '28000'
export const INVALID_PASSWORD = '28P01'
export const INSUFFICIENT_PRIVILEGE = '42501'
export const DISK_FULL = '53100'
