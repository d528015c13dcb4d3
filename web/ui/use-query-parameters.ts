import { startTransition, useCallback, useOptimistic } from 'react'
import { useSearchParams } from 'react-router'

type Change = (newest: URLSearchParams) => URLSearchParams

/**
 * The query of the page's address, and a function that changes it. The router renders a new address with a delay, and a
 * field would show its old value until then, so the new query is returned at once. Changes start from the address
 * bar: a second change that started from what is rendered would undo the first one.
 */
export function useQueryParameters(): [parameters: URLSearchParams, change: (change: Change) => void] {
  const [parameters, setParameters] = useSearchParams()
  const [newest, setNewest] = useOptimistic(parameters)
  const change = useCallback(
    (next: Change) =>
      startTransition(() => {
        const changed = next(new URLSearchParams(window.location.search))
        setNewest(changed)
        setParameters(changed, { replace: true })
      }),
    [setNewest, setParameters],
  )
  return [newest, change]
}

/** The same query with this parameter; without it if `value` is empty. */
export function withParameter(query: URLSearchParams, name: string, value: string): URLSearchParams {
  const next = new URLSearchParams(query)
  if (value === '') next.delete(name)
  else next.set(name, value)
  return next
}
