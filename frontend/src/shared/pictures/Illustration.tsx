import type { ReactNode } from 'react';

const line = 'var(--gl-art-line)';
const fill = 'var(--gl-art-fill)';
const paper = 'var(--gl-art-paper)';
const gold = 'var(--gl-wheat)';
const green = 'var(--gl-art-green)';

/** A sheet with lines of "text": the ground most scenes stand on. */
function Sheet({ x, y, w, h }: { x: number; y: number; w: number; h: number }) {
  return <rect x={x} y={y} width={w} height={h} rx="6" fill={paper} stroke={line} strokeWidth="1.5" />;
}

function Bar({ x, y, w, color = fill }: { x: number; y: number; w: number; color?: string }) {
  return <rect x={x} y={y} width={w} height="6" rx="3" fill={color} />;
}

function WheatEar({ x, y, scale = 1 }: { x: number; y: number; scale?: number }) {
  return (
    <g transform={`translate(${x} ${y}) scale(${scale})`}>
      <path d="M0 44V0" stroke={green} strokeWidth="2" strokeLinecap="round" />
      <g fill={gold}>
        <path d="M0 0c-3.5-3.3-3.5-7.5 0-11 3.5 3.5 3.5 7.7 0 11z" />
        <path d="M-1.5 8c-5 .3-8.3-2.5-9-7.5 5-.3 8.3 2.5 9 7.5zM1.5 8c5 .3 8.3-2.5 9-7.5-5-.3-8.3 2.5-9 7.5z" />
        <path d="M-1.5 17c-5 .3-8.3-2.5-9-7.5 5-.3 8.3 2.5 9 7.5zM1.5 17c5 .3 8.3-2.5 9-7.5-5-.3-8.3 2.5-9 7.5z" />
        <path d="M-1.5 26c-5 .3-8.3-2.5-9-7.5 5-.3 8.3 2.5 9 7.5zM1.5 26c5 .3 8.3-2.5 9-7.5-5-.3-8.3 2.5-9 7.5z" />
      </g>
    </g>
  );
}

const scenes = {
  field: (
    <>
      <path
        d="M14 108c-6 0-7-6-2-8 28-11 56-13 88-6 30 6 56 5 84-3 6-2 12 4 10 10-1 4-4 7-9 7z"
        fill={fill}
      />
      <circle cx="152" cy="34" r="14" fill={gold} opacity=".35" />
      <WheatEar x={62} y={52} scale={1.05} />
      <WheatEar x={96} y={38} scale={1.3} />
      <WheatEar x={128} y={56} scale={0.95} />
    </>
  ),
  template: (
    <>
      <Sheet x={46} y={14} w={108} h={92} />
      <rect x="58" y="26" width="34" height="34" rx="4" fill={fill} />
      <Bar x={102} y={30} w={40} />
      <Bar x={102} y={44} w={26} />
      <Bar x={58} y={72} w={84} />
      <Bar x={58} y={86} w={60} />
      <rect x="97" y="24" width="51" height="18" rx="5" fill="none" stroke={gold} strokeWidth="2.5" />
      <path d="M150 44l4 18 5-7 8-2z" fill={green} />
    </>
  ),
  crawler: (
    <>
      <path
        d="M100 60L52 32M100 60l52-30M100 60l-44 34M100 60l46 32M52 32L24 52M152 30l26 16"
        stroke={line}
        strokeWidth="2"
      />
      <path d="M100 60l52-30" stroke={gold} strokeWidth="3" strokeDasharray="5 5" />
      <Sheet x={84} y={42} w={32} h={38} />
      <Bar x={90} y={50} w={20} color={gold} />
      <Bar x={90} y={61} w={14} />
      <g fill={paper} stroke={line} strokeWidth="1.5">
        <rect x="38" y="20" width="26" height="24" rx="5" />
        <rect x="140" y="18" width="26" height="24" rx="5" stroke={green} strokeWidth="2" />
        <rect x="42" y="84" width="26" height="24" rx="5" />
        <rect x="134" y="82" width="26" height="24" rx="5" />
        <circle cx="22" cy="54" r="8" />
        <circle cx="180" cy="48" r="8" />
      </g>
    </>
  ),
  runner: (
    <>
      <path d="M24 96h152" stroke={line} strokeWidth="2" strokeLinecap="round" />
      <path
        d="M28 84c24 0 26-44 50-44s20 28 42 28 24-42 52-46"
        fill="none"
        stroke={green}
        strokeWidth="3"
        strokeLinecap="round"
      />
      <circle cx="172" cy="22" r="6" fill={gold} />
      <g fill={fill}>
        <rect x="40" y="72" width="14" height="24" rx="3" />
        <rect x="70" y="56" width="14" height="40" rx="3" />
        <rect x="100" y="76" width="14" height="20" rx="3" />
        <rect x="130" y="60" width="14" height="36" rx="3" />
      </g>
    </>
  ),
  documents: (
    <>
      <g transform="rotate(-8 80 60)">
        <Sheet x={50} y={20} w={70} h={84} />
      </g>
      <g transform="rotate(6 120 60)">
        <Sheet x={82} y={18} w={70} h={84} />
        <Bar x={94} y={32} w={44} color={gold} />
        <Bar x={94} y={48} w={36} />
        <Bar x={94} y={62} w={44} />
        <Bar x={94} y={76} w={24} />
      </g>
    </>
  ),
  indexer: (
    <>
      <rect x="50" y="14" width="100" height="92" rx="8" fill={paper} stroke={line} strokeWidth="1.5" />
      {[24, 52, 80].map((y, row) => (
        <g key={y}>
          <rect x="60" y={y} width="36" height="20" rx="4" fill={row === 1 ? gold : fill} />
          <rect x="104" y={y} width="36" height="20" rx="4" fill={fill} />
          <path
            d={`M72 ${y + 10}h12M116 ${y + 10}h12`}
            stroke={green}
            strokeWidth="2"
            strokeLinecap="round"
          />
        </g>
      ))}
    </>
  ),
  dictionary: (
    <>
      <path
        d="M100 30c-16-10-36-12-56-8v74c20-4 40-2 56 8 16-10 36-12 56-8V22c-20-4-40-2-56 8z"
        fill={paper}
        stroke={line}
        strokeWidth="1.5"
      />
      <path d="M100 30v74" stroke={line} strokeWidth="1.5" />
      <Bar x={56} y={40} w={30} color={gold} />
      <Bar x={56} y={54} w={24} />
      <Bar x={56} y={68} w={30} />
      <Bar x={114} y={40} w={30} />
      <Bar x={114} y={54} w={22} color={green} />
      <Bar x={114} y={68} w={30} />
    </>
  ),
  key: (
    <>
      <Sheet x={40} y={30} w={120} h={62} />
      <circle cx="76" cy="61" r="15" fill="none" stroke={gold} strokeWidth="6" />
      <path d="M91 61h46M124 61v12M136 61v9" stroke={gold} strokeWidth="6" strokeLinecap="round" />
    </>
  ),
  people: (
    <>
      <circle cx="74" cy="46" r="16" fill={fill} stroke={line} strokeWidth="1.5" />
      <path d="M44 98c3-20 14-30 30-30s27 10 30 30z" fill={fill} stroke={line} strokeWidth="1.5" />
      <circle cx="124" cy="42" r="16" fill={paper} stroke={green} strokeWidth="2" />
      <path d="M94 98c3-22 14-34 30-34s27 12 30 34z" fill={paper} stroke={green} strokeWidth="2" />
      <circle cx="152" cy="30" r="9" fill={gold} />
      <path d="M148 30h8M152 26v8" stroke={paper} strokeWidth="2" strokeLinecap="round" />
    </>
  ),
  node: (
    <>
      {[20, 50, 80].map((y, row) => (
        <g key={y}>
          <rect x="52" y={y} width="96" height="24" rx="6" fill={paper} stroke={line} strokeWidth="1.5" />
          <circle cx="66" cy={y + 12} r="4" fill={row === 0 ? green : fill} />
          <Bar x={82} y={y + 9} w={row === 1 ? 30 : 48} color={row === 0 ? gold : fill} />
        </g>
      ))}
    </>
  ),
  job: (
    <>
      {[22, 50, 78].map((y, row) => (
        <rect key={y} x={36 + row * 16} y={y} width="92" height="20" rx="6" fill={row === 0 ? gold : fill} />
      ))}
      <path
        d="M152 26v66m0 0l-8-9m8 9l8-9"
        fill="none"
        stroke={green}
        strokeWidth="2.5"
        strokeLinecap="round"
      />
    </>
  ),
  search: (
    <>
      <Sheet x={36} y={26} w={128} h={26} />
      <Bar x={50} y={36} w={54} />
      <Bar x={50} y={66} w={80} color={gold} />
      <Bar x={50} y={80} w={60} />
      <circle cx="136" cy="78" r="18" fill={paper} stroke={green} strokeWidth="4" />
      <path d="M149 91l14 14" stroke={green} strokeWidth="5" strokeLinecap="round" />
    </>
  ),
  trouble: (
    <>
      <path
        d="M20 60h46M134 60h46"
        stroke={line}
        strokeWidth="3"
        strokeLinecap="round"
        strokeDasharray="2 8"
      />
      <rect x="66" y="46" width="26" height="28" rx="6" fill={fill} />
      <rect x="108" y="46" width="26" height="28" rx="6" fill={fill} />
      <path d="M100 30v16M92 34l4 12M108 34l-4 12" stroke={gold} strokeWidth="3" strokeLinecap="round" />
    </>
  ),
} satisfies Record<string, ReactNode>;

export type Scene = keyof typeof scenes;

/** A small picture for an empty page. It repeats what the words beside it say, so screen readers skip it. */
export function Illustration({ scene, width = 200 }: { scene: Scene; width?: number }) {
  return (
    <svg aria-hidden="true" width={width} viewBox="0 0 200 120" fill="none" style={{ maxWidth: '100%' }}>
      {scenes[scene]}
    </svg>
  );
}
