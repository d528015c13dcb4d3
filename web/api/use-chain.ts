import { readChain } from '#contract/deposits.ts'
import { call } from './call.ts'
import { readOnce } from './read-once.ts'

/** Which chain the game runs on; undefined until the server has said it. */
export const useChain = readOnce(() => call(readChain, {}))
