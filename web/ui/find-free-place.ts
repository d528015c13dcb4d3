const CONTROLS = 'a[href], button, input, select, summary, [role="tab"], [role="button"]'

/** Where toasts can stand, the preferred place first. `toasts.module.css` has their positions. */
const PLACES = ['centre', 'start', 'end', 'top'] as const

/**
 * Moves the toasts to the first place where they cover no control, or to the preferred one if there is none. They stay
 * where they are as long as that place is free.
 */
export function placeToasts(region: HTMLElement): void {
  const current = PLACES.find((place) => place === region.dataset.place)
  const controls = [...document.querySelectorAll(CONTROLS)]
    .filter((control) => !region.contains(control) && control.checkVisibility({ visibilityProperty: true }))
    .map((control) => control.getBoundingClientRect())
  const isFree = (place: string): boolean => {
    region.dataset.place = place
    const boxes = [...region.children].map((toast) => toast.getBoundingClientRect())
    return boxes.every(({ left, right, top, bottom }) =>
      controls.every(
        (box) => box.right <= left || box.left >= right || box.bottom <= top || box.top >= bottom,
      ),
    )
  }
  const places = current ? [current, ...PLACES] : PLACES
  region.dataset.place = places.find(isFree) ?? PLACES[0]
}
