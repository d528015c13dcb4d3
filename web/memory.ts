type Memory = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

const nothing = (): null => null

/** What the browser remembers of its player; empty where the build draws the pages. */
export const memory: Memory =
  'localStorage' in globalThis ? localStorage : { getItem: nothing, setItem: nothing, removeItem: nothing }
