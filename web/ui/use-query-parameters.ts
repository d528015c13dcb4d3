import { useCallback } from 'react'
import { useSearchParams } from 'react-router'

type Change = (newest: URLSearchParams) => URLSearchParams

/**
 * The query of the page's address, and a function that changes it. Changes start from the address bar: pages render a new
 * address with a delay, and a second change that started from what is rendered would undo the first one.
 */
export function useQueryParameters(): [parameters: URLSearchParams, change: (change: Change) => void] {
  const [parameters, setParameters] = useSearchParams()
  const change = useCallback(
    (next: Change) => setParameters(next(new URLSearchParams(window.location.search)), { replace: true }),
    [setParameters],
  )
  return [parameters, change]
}

/** The same query with this parameter; without it if `value` is empty. */
export function withParameter(query: URLSearchParams, name: string, value: string): URLSearchParams {
  const next = new URLSearchParams(query)
  if (value === '') next.delete(name)
  else next.set(name, value)
  return next
}
