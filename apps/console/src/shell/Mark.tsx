/** The logo: a rope between two posts. */
export function Mark({ size = 28 }: { size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 32 32"
      fill="none"
      strokeWidth="3"
      strokeLinecap="round"
      aria-hidden="true"
    >
      <path className="mark-posts" d="M10 26V6M22 26V6" />
      <path className="mark-rope" d="M3.5 18c3-5.5 7-5.5 12.5-2s9.5 3.5 12.5-2" />
    </svg>
  )
}
