import { readSite } from '#contract/site.ts'
import { call } from './call.ts'
import { readOnce } from './read-once.ts'

/** What the operator set for this site; undefined until the server has said it. */
export const useSite = readOnce(() => call(readSite, {}))
