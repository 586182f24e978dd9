import { Text, VisuallyHidden } from '@mantine/core';
import { useId, useState, type DragEvent } from 'react';
import { UploadIcon } from '../shared/pictures/icons';
import classes from './projects.module.css';

interface FileDropProps {
  label: string;
  hint: string;
  accept: string;
  onFile: (file: File) => void;
}

/** Takes a file by drag and drop, by click or by keyboard: the file input is real, only unseen. */
export function FileDrop({ label, hint, accept, onFile }: FileDropProps) {
  const id = useId();
  const [isOver, setOver] = useState(false);
  const take = (files: FileList | null) => {
    const file = files?.[0];
    if (file) onFile(file);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    take(event.dataTransfer.files);
  };
  return (
    <label
      htmlFor={id}
      className={classes.drop}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <UploadIcon size={26} />
      <Text component="span" fw={600}>
        {label}
      </Text>
      <Text component="span" size="sm" c="dimmed">
        {hint}
      </Text>
      <VisuallyHidden>
        <input
          id={id}
          type="file"
          accept={accept}
          onChange={({ currentTarget }) => {
            take(currentTarget.files);
            currentTarget.value = '';
          }}
        />
      </VisuallyHidden>
    </label>
  );
}
