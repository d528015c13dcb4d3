import { useCallback } from 'react'
import { useSearchParams } from 'react-router'
import { newestSearch } from '#web/ui/newest-search.ts'

/** A filter in the address of the page, so that it can be linked to and survives a reload. */
export function useFilter(name: string): [value: string, set: (value: string) => void] {
  const [params, setParams] = useSearchParams()
  const set = useCallback(
    (value: string) => {
      const next = newestSearch()
      if (value === '') next.delete(name)
      else next.set(name, value)
      setParams(next, { replace: true })
    },
    [name, setParams],
  )
  return [params.get(name) ?? '', set]
}

/** The choice with this name, or the first one. */
export const choiceOf = <Value extends string>(choices: readonly [Value, ...Value[]], value: string): Value =>
  choices.find((each) => each === value) ?? choices[0]

const WALLET = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/

/** The wallet of a filter: undefined while it is empty or not a whole address. */
export const walletOf = (text: string): string | undefined =>
  WALLET.test(text.trim()) ? text.trim() : undefined
