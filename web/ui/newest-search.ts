/**
 * The query of the address bar. What `useSearchParams` returns may be older: pages render a new address with a delay, and a
 * second change that started from it would undo the first one.
 */
export const newestSearch = (): URLSearchParams => new URLSearchParams(window.location.search)
