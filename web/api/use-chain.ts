import { readChain } from '#contract/deposits.ts'
import { call } from './call.ts'
import { createReadOnceHook } from './create-read-once-hook.ts'

/** Which chain the game runs on; undefined until the server has said it. */
export const useChain = createReadOnceHook(() => call(readChain, {}))
