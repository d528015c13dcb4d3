export function XLogo() {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path
        fill="currentColor"
        d="M17.7 3h3.4l-7.4 8.5L22.4 21h-6.8l-5.3-6.2L4.2 21H.8l7.9-9.1L.4 3h7l4.8 5.7Zm-1.2 16h1.9L6.5 4.9h-2Z"
      />
    </svg>
  )
}
