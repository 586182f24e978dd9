/** The ear of wheat. Decoration beside the name, so it has no words of its own. */
export function LogoMark({ size = 30 }: { size?: number }) {
  return (
    <svg aria-hidden="true" width={size} height={size} viewBox="0 0 32 32">
      <rect width="32" height="32" rx="8" fill="#1c5b44" />
      <path d="M16 27.5V12" stroke="#f2d58b" strokeWidth="1.8" strokeLinecap="round" />
      <g fill="#f2d58b">
        <path d="M16 11.4c-2.3-2.2-2.3-5 0-7.4 2.3 2.4 2.3 5.2 0 7.4z" />
        <path d="M15 16.4c-3.3.2-5.5-1.7-6-5 3.3-.2 5.5 1.7 6 5zM17 16.4c3.3.2 5.5-1.7 6-5-3.3-.2-5.5 1.7-6 5z" />
        <path d="M15 22.2c-3.3.2-5.5-1.7-6-5 3.3-.2 5.5 1.7 6 5zM17 22.2c3.3.2 5.5-1.7 6-5-3.3-.2-5.5 1.7-6 5z" />
      </g>
    </svg>
  );
}
