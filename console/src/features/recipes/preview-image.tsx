import { useQuery } from '@tanstack/react-query';
import { buildPreviewQuery, type Recipe } from './requests.ts';

/** The picture of a recipe, where it has one. */
export function PreviewImage({ of: { slug, preview_image_url: image } }: { of: Recipe }) {
  const { data: address } = useQuery({ ...buildPreviewQuery(slug), enabled: image !== null });
  if (image === null || address === undefined) return null;
  return (
    <img src={address} alt="" className="max-h-80 w-full rounded-2xl border border-line object-contain shadow-card" />
  );
}
