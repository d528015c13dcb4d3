/** Marks elements that are inert while a drawer is open. */
export const behindMenu = { 'data-behind-menu': '' }
