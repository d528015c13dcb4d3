import { readChain } from '#contract/chain.ts'
import { call } from './call.ts'
import { createReadOnceHook } from './create-read-once-hook.ts'

/** The chain of the game; undefined until it has been read. */
export const useChain = createReadOnceHook(() => call(readChain, {}))
