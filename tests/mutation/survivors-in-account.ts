import type { Survivor } from './survivor.ts'

export const SURVIVORS_IN_ACCOUNT: readonly Survivor[] = [
  {
    file: 'server/account/export-history.ts',
    line: 'if (page.length > 0) yield page.map(toRecord)',
    from: 'page.length > 0',
    to: 'true',
    why: 'Equivalent: an empty page writes nothing.',
  },
  {
    file: 'server/account/export-history.ts',
    line: 'if (page.length > 0) yield page.map(toRecord)',
    from: 'page.length > 0',
    to: 'page.length >= 0',
    why: 'Equivalent: an empty page writes nothing.',
  },
  {
    file: 'server/account/export-history.ts',
    line: 'value === undefined || value === null ? null : String(value)',
    from: 'value === null',
    to: 'false',
    why: 'No journal has a detail that is null.',
  },
  {
    file: 'server/account/journal-range.ts',
    line: 'return { before: cursor < end ? cursor : end, notBefore }',
    from: 'cursor < end',
    to: 'cursor <= end',
    why: 'Equivalent: of two equal ids either is the end.',
  },
  {
    file: 'server/account/read-history.ts',
    line: 'const parcel = parcelId === undefined ? undefined : parcelOf(parcelId)',
    from: 'parcelId === undefined',
    to: 'false',
    why: 'Equivalent: the world has no parcel without an id.',
  },
  {
    file: 'server/account/sessions.ts',
    line: 'if (cache.size >= MAX_CACHED_SESSIONS) cache.clear()',
    from: 'cache.clear()',
    to: ';',
    why: 'Only the bound on memory: no test opens 50,000 sessions.',
  },
  {
    file: 'server/account/sessions.ts',
    line: `if (Array.isArray(own)) refuse('tokens_disagree')`,
    from: `refuse('tokens_disagree')`,
    to: ';',
    why: 'Never an array: Node joins the values of this header.',
  },
  {
    file: 'server/account/sessions.ts',
    line: 'if (cached) cached.expiresAtMs = performance.now() + CACHE_MS',
    from: 'cached',
    to: 'true',
    why: 'Only if the cache was cleared during the action: no test opens 50,000 sessions.',
  },
  {
    file: 'server/account/sessions.ts',
    line: 'if (cache.size >= MAX_CACHED_SESSIONS) cache.clear()',
    from: 'cache.size >= MAX_CACHED_SESSIONS',
    to: 'false',
    why: 'Only the bound on memory: no test opens 50,000 sessions.',
  },
  {
    file: 'server/account/sessions.ts',
    line: `if (Array.isArray(own)) refuse('tokens_disagree')`,
    from: 'Array.isArray(own)',
    to: 'false',
    why: 'Never an array: Node joins the values of this header.',
  },
  {
    file: 'server/account/sessions.ts',
    line: 'conflictKeyOf: () => null,',
    from: '() => null',
    to: '() => undefined',
    why: 'Equivalent: without a key, no two lookups conflict.',
  },
  {
    file: 'server/account/signed-forms/signed-forms.ts',
    line: 'export const SIGNED_FORMS: readonly SignedForm[] = Object.keys(FORMS).filter(isSignedForm)',
    from: 'Object.keys(FORMS).filter(isSignedForm)',
    to: 'Object.keys(FORMS)',
    why: 'A check for the types: every key is a form.',
  },
  {
    file: 'server/account/wallet-signature.ts',
    line: '} catch {',
    from: `{
    return null
  }`,
    to: '{}',
    why: 'Equivalent: whoever asks only checks whether there are bytes.',
  },
  {
    file: 'server/account/wallet-signature.ts',
    line: '} catch {',
    from: `{
    return false
  }`,
    to: '{}',
    why: 'The library answers false itself, and undefined counts as false.',
  },
  {
    file: 'server/account/wallet-signature.ts',
    line: 'return false',
    from: 'false',
    to: 'true',
    why: 'Never reached: the library answers false itself for what it cannot read.',
  },
  {
    file: 'server/account/wallet-signature.ts',
    line: 'if (!key || signature.length !== 64) return false',
    from: '!key || signature.length !== 64',
    to: 'false',
    why: 'Equivalent: the library answers false for a key or a signature of another size.',
  },
  {
    file: 'server/account/describe-client.ts',
    line: 'const LOOPBACK = /^(::1|(::ffff:)?127\\..*)$/',
    from: '/^(::1|(::ffff:)?127\\..*)$/',
    to: '/^(::1|(::ffff:)?127\\..*)/',
    why: 'Equivalent for addresses: none begins with ::1 and goes on.',
  },
  {
    file: 'server/account/log-in.ts',
    line: `const nonce = /^Nonce: (.*)$/m.exec(message)?.[1] ?? ''`,
    from: '/^Nonce: (.*)$/m',
    to: '/^Nonce: (.*)/m',
    why: 'Equivalent: the match ends at the end of the line anyway.',
  },
]
