type KeyValueStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

const returnNull = (): null => null

/** What the browser remembers of its player; empty where the build draws the pages. */
export const browserStorage: KeyValueStorage =
  'localStorage' in globalThis
    ? localStorage
    : { getItem: returnNull, setItem: returnNull, removeItem: returnNull }
