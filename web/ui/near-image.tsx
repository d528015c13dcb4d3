import { type ComponentProps, useEffect, useRef } from 'react'

/** How far (px) below or above the window a picture begins to load. Browsers by themselves load from far further. */
const NEAR = '240px'

const waiting = new WeakMap<Element, () => void>()
let observer: IntersectionObserver | undefined

/** One observer for all pictures: on a continent they are some dozens. */
function whenNear(element: Element, load: () => void): () => void {
  observer ??= new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue
        observer?.unobserve(target)
        waiting.get(target)?.()
      }
    },
    { rootMargin: NEAR },
  )
  waiting.set(element, load)
  observer.observe(element)
  return () => observer?.unobserve(element)
}

type NearImageProps = Omit<ComponentProps<'img'>, 'src' | 'loading'> & { src: string; alt: string }

/** A picture that is fetched when it is about to be seen. Its size must be given, so that nothing moves. */
export function NearImage({ src, alt, ...rest }: NearImageProps) {
  const image = useRef<HTMLImageElement>(null)
  useEffect(() => {
    const element = image.current
    if (!element) return
    return whenNear(element, () => {
      element.src = src
    })
  }, [src])
  return <img {...rest} ref={image} alt={alt} />
}
