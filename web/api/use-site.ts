import { readSite } from '#contract/site.ts'
import { call } from './call.ts'
import { createReadOnceHook } from './create-read-once-hook.ts'

/** The operator's settings of this site; undefined until they have been read. */
export const useSite = createReadOnceHook(() => call(readSite, {}))
