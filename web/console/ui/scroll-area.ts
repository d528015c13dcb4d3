/** The attributes of a box that scrolls: the keyboard has to reach it, also where nothing in it takes the focus. */
export const scrollArea = (label: string) => ({ role: 'region', 'aria-label': label, tabIndex: 0 }) as const
