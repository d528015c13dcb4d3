/** Up to this width (px) the side menu is a drawer (spec §9). */
export const MOBILE_MAX_PX = 768
