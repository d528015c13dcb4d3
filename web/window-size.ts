/** Up to this width (px) the side menu is a drawer (spec §9). */
export const MOBILE_MAX_PX = 768

/** Windows as narrow as a phone. */
export const NARROW_WINDOW = `(max-width: ${MOBILE_MAX_PX}px)`

/** Windows with the drawer and the tab bar: phones, also when held sideways. The style sheets repeat it. */
export const SMALL_WINDOW = `${NARROW_WINDOW}, (max-height: 480px)`
