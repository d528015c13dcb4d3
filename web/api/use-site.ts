import { readSite } from '#contract/site.ts'
import { call } from './call.ts'
import { createReadOnceHook } from './create-read-once-hook.ts'

/** What the operator set for this site; undefined until the server has said it. */
export const useSite = createReadOnceHook(() => call(readSite, {}))
