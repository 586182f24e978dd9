import type { ReactNode } from 'react';

export interface IconProps {
  size?: number;
  className?: string;
}

export type Icon = (props: IconProps) => ReactNode;

/** An outline icon of 24 units. Always decoration: the control around it carries the words. */
function outline(...shapes: string[]): Icon {
  return drawn(1.75, shapes);
}

/** Icons made of dots need a thicker pen. */
function dotted(...shapes: string[]): Icon {
  return drawn(2.75, shapes);
}

function drawn(strokeWidth: number, shapes: string[]): Icon {
  return function OutlineIcon({ size = 18, className }: IconProps) {
    return (
      <svg
        aria-hidden="true"
        className={className}
        width={size}
        height={size}
        viewBox="0 0 24 24"
        fill="none"
        stroke="currentColor"
        strokeWidth={strokeWidth}
        strokeLinecap="round"
        strokeLinejoin="round"
      >
        {shapes.map((shape) => (
          <path key={shape} d={shape} />
        ))}
      </svg>
    );
  };
}

export const AddIcon = outline('M12 5v14', 'M5 12h14');
export const AlertIcon = outline('M12 8v5', 'M12 16.5v.01', 'M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18z');
export const BookIcon = outline(
  'M5 5a2 2 0 0 1 2-2h12v18H7a2 2 0 0 1-2-2z',
  'M5 18a2 2 0 0 1 2-2h12',
  'M9 7h6',
);
export const CheckIcon = outline('M5 12.5l4.5 4.5L19 7.5');
export const ChevronDownIcon = outline('M6 9l6 6 6-6');
export const ChevronRightIcon = outline('M9 6l6 6-6 6');
export const ChevronUpIcon = outline('M6 15l6-6 6 6');
export const ClockIcon = outline('M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18z', 'M12 7v5l3 2');
export const CopyIcon = outline('M9 9h11v11H9z', 'M15 9V4H4v11h5');
export const CrawlIcon = outline(
  'M12 4v4',
  'M12 16v4',
  'M4 12h4',
  'M16 12h4',
  'M12 8a4 4 0 1 1 0 8 4 4 0 0 1 0-8z',
  'M6.3 6.3l2.9 2.9',
  'M14.8 14.8l2.9 2.9',
);
export const DocumentIcon = outline('M6 3h8l4 4v14H6z', 'M14 3v4h4', 'M9 12h6', 'M9 16h6');
export const DotsIcon = dotted('M5 12h.01', 'M12 12h.01', 'M19 12h.01');
export const DownloadIcon = outline('M12 4v11', 'M7.5 11l4.5 4.5 4.5-4.5', 'M5 20h14');
export const EditIcon = outline('M4 20h4L19 9l-4-4L4 16z', 'M13 7l4 4');
export const FolderIcon = outline('M3 6h6l2 2h10v11H3z');
export const GripIcon = dotted('M9 6h.01', 'M15 6h.01', 'M9 12h.01', 'M15 12h.01', 'M9 18h.01', 'M15 18h.01');
export const HomeIcon = outline('M4 11l8-7 8 7', 'M6 9.5V20h12V9.5', 'M10 20v-6h4v6');
export const IndexIcon = outline('M4 5h16', 'M4 10h10', 'M4 15h16', 'M4 20h7');
export const JobsIcon = outline('M4 6h16v4H4z', 'M4 14h10v4H4z', 'M18 14v4');
export const KeyIcon = outline('M8 11a4 4 0 1 1 0 8 4 4 0 0 1 0-8z', 'M11 12l9-9', 'M16 7l3 3');
export const LockIcon = outline('M6 11h12v9H6z', 'M8.5 11V8a3.5 3.5 0 0 1 7 0v3');
export const MoonIcon = outline('M20 14.5A8 8 0 1 1 9.5 4a6.5 6.5 0 0 0 10.5 10.5z');
export const NodeIcon = outline('M4 4h16v7H4z', 'M4 13h16v7H4z', 'M8 7.5h.01', 'M8 16.5h.01');
export const PlayIcon = outline('M7 4.5v15l12-7.5z');
export const RefreshIcon = outline(
  'M20 11a8 8 0 0 0-14.5-4L4 9',
  'M4 4v5h5',
  'M4 13a8 8 0 0 0 14.5 4L20 15',
  'M20 20v-5h-5',
);
export const SearchIcon = outline('M11 4a7 7 0 1 1 0 14 7 7 0 0 1 0-14z', 'M20 20l-4-4');
export const SettingsIcon = outline('M4 7h9', 'M17 7h3', 'M15 5v4', 'M4 17h3', 'M11 17h9', 'M9 15v4');
export const SignOutIcon = outline('M14 4H5v16h9', 'M10 12h10', 'M17 8.5l3.5 3.5-3.5 3.5');
export const SortIcon = outline('M8 10l4-4 4 4', 'M8 14l4 4 4-4');
export const SunIcon = outline(
  'M12 8a4 4 0 1 1 0 8 4 4 0 0 1 0-8z',
  'M12 2.5v2',
  'M12 19.5v2',
  'M2.5 12h2',
  'M19.5 12h2',
  'M5.3 5.3l1.4 1.4',
  'M17.3 17.3l1.4 1.4',
  'M5.3 18.7l1.4-1.4',
  'M17.3 6.7l1.4-1.4',
);
export const TargetIcon = outline('M4 9V4h5', 'M15 4h5v5', 'M20 15v5h-5', 'M9 20H4v-5', 'M9 12h6', 'M12 9v6');
export const ThemeIcon = outline(
  'M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18z',
  'M12 3v18',
  'M12 8h7.5',
  'M12 13h8.5',
  'M12 18h5',
);
export const TrashIcon = outline('M4 7h16', 'M9 7V4h6v3', 'M6 7l1 13h10l1-13', 'M10 11v5', 'M14 11v5');
export const UploadIcon = outline('M12 16V5', 'M7.5 9L12 4.5 16.5 9', 'M5 20h14');
export const UserIcon = outline('M12 4a4 4 0 1 1 0 8 4 4 0 0 1 0-8z', 'M4.5 20c1-4 4-6 7.5-6s6.5 2 7.5 6');
export const UsersIcon = outline(
  'M9 5a3.5 3.5 0 1 1 0 7 3.5 3.5 0 0 1 0-7z',
  'M2.5 19.5c.8-3.5 3.3-5.5 6.5-5.5s5.7 2 6.5 5.5',
  'M16 5.3a3.5 3.5 0 0 1 0 6.4',
  'M18 14.3c1.9.8 3 2.5 3.5 5.2',
);
