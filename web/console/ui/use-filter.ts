import { useCallback } from 'react'
import { useQueryParameters, withParameter } from '#web/ui/use-query-parameters.ts'

/** A filter in the address of the page, so that it can be linked to and survives a reload. */
export function useFilter(name: string): [value: string, set: (value: string) => void] {
  const [parameters, change] = useQueryParameters()
  const set = useCallback(
    (value: string) => change((newest) => withParameter(newest, name, value)),
    [name, change],
  )
  return [parameters.get(name) ?? '', set]
}

/** The choice with this name, or the first one. */
export const choiceOf = <Value extends string>(choices: readonly [Value, ...Value[]], value: string): Value =>
  choices.find((each) => each === value) ?? choices[0]

const WALLET = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/

/** The wallet of a filter: undefined while it is empty or not a whole address. */
export const walletOf = (text: string): string | undefined =>
  WALLET.test(text.trim()) ? text.trim() : undefined
