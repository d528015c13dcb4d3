import { readChain } from '#contract/deposits.ts'
import { call } from './call.ts'
import { createReadOnceHook } from './create-read-once-hook.ts'

/** The chain of the game; undefined until it has been read. */
export const useChain = createReadOnceHook(() => call(readChain, {}))
