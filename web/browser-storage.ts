type KeyValueStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

const returnNull = (): null => null

/** The browser's local storage; always empty in the prerender build. */
export const browserStorage: KeyValueStorage =
  'localStorage' in globalThis
    ? localStorage
    : { getItem: returnNull, setItem: returnNull, removeItem: returnNull }
